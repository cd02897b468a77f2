"""The soak test (`make soak`): run a whole site for hours and check that it does not grow or break."""
