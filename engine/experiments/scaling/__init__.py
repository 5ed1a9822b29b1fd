"""The square root of d_k: variance, saturation, gradient and training, one measured chain."""
