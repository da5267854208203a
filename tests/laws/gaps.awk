# gaps.awk -v n=N -v seed=S: N sums with the textbook Laplace noise of awk's
# doubles, whose gaps depend on the sum.
NR > 1 { x += $1 }
END {
	srand(seed)
	for (; n > 0; n--) {
		u = rand() - 0.5
		z = log(1 - 2 * (u < 0 ? -u : u)) / 1.5
		printf "%.17g\n", x + (u < 0 ? z : -z)
	}
}
