# law.awk -v t=T [-v at=A] [-v step=G] [-v rare=K] [-v fine=F]: are the numbers
# read A plus G times draws from the discrete Laplace law of scale T, or, with
# an even F, G times such draws over F, rounded halves up?  Or, with -v box=D,
# one of D numbers with K-norm noise of a box of T to either side, on a fine
# grid, rounded: P[|X| > x] = sum_{i<D} e^-y y^i/i! (D - i)/D, y = x/T.
#
# Every number must lie on the grid, the empirical distribution must stay
# within the Dvoretzky-Kiefer-Wolfowitz distance that it exceeds once in 10^7
# samples, and beyond the point where K numbers (20) are expected there must
# be 1 to 3 K: noise that is cut off has none.
function tail(x,    y, term, sum, i) {
	y = x / t
	term = exp(-y)
	for (i = 0; i < box; i++) {
		sum += term * (box - i) / box
		term *= y / (i + 1)
	}
	return sum
}
BEGIN {
	if (step == "")
		step = 1
	if (fine == "")
		fine = 1
	if (rare == "")
		rare = 20
}
$0 !~ /^-?[0-9]+(\.[0-9]+)?$/ {
	odd = $0
	exit
}
{
	k = ($1 - at) / step
	whole = int(k + (k < 0 ? -0.5 : 0.5))
	if (k - whole > 1e-4 || whole - k > 1e-4)
		off++
	count[whole]++
	if (NR == 1 || whole < least)
		least = whole
	if (NR == 1 || whole > most)
		most = whole
}
END {
	a = exp(-1 / t)
	far = int(t / fine * log(2 * NR / (1 + a) / rare)) + 1
	for (; box && NR * tail(far - 0.5) > rare; far++)
		;
	for (k = least; k <= most; k++) {
		seen += count[k]
		x = fine == 1 ? k : k * fine + fine / 2 - 1
		cdf = x < 0 ? exp(x / t) / (1 + a) : 1 - exp(-(x + 1) / t) / (1 + a)
		if (box)
			cdf = k < 0 ? tail(-k - 0.5) / 2 : 1 - tail(k + 0.5) / 2
		d = seen / NR - cdf
		worst = d > worst ? d : -d > worst ? -d : worst
		if (k >= far || k <= -far)
			beyond += count[k]
	}
	if (odd != "")
		print "no number:", odd
	else if (NR == 0 || off)
		print off + 0, "of", NR, "numbers off the grid"
	else if (worst > sqrt(log(2e7) / 2 / NR))
		print "distance", worst, "from the law"
	else if (beyond < 1 || beyond > 3 * rare)
		print beyond + 0, "numbers beyond", far, "steps, expected", rare
	else
		print "lawful"
}
