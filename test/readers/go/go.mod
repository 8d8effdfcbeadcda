module gatehouse/readers

go 1.23

require github.com/tmaxmax/go-sse v0.11.0
