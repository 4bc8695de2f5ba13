"""Resources that are not objects in a store: bindings, evictions, tokens, reviews, connections."""
