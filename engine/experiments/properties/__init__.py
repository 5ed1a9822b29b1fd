"""What follows from the form of self-attention: order, reach, smoothing and the graph view."""
