"""How ResourceQuotas are charged: what each resource uses, whether that fits, and writing it down."""
