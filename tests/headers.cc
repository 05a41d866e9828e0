// Nothing of its own: carries the headers that all test programs share.
