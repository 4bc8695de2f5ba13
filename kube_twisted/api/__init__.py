"""Groups, versions, kinds, metadata, selectors, quantities and Status errors: pure data, no Twisted."""
