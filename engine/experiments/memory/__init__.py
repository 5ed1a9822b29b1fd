"""What attention over T tokens costs in memory and arithmetic: predicted, and measured."""
