"""Properties of self-attention: order, reach, depth, influence, and the graph it is."""
