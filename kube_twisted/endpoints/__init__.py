"""From a parsed request to an answer: one file per verb, negotiation, discovery, OpenAPI."""
