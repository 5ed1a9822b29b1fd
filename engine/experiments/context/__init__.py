"""Who is it? The picture, the mechanism, and a real model whose weights are looked at."""
