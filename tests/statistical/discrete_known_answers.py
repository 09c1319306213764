#!/usr/bin/env python3
"""Prints the known answers that the tests of src/noise hold for the discrete samplers.

usage: discrete_known_answers.py

The samplers are written anew here from docs/proofs/discrete-laplace.md, in unbounded integers and
fractions, over a ChaCha20 of its own (RFC 8439, key, nonce and counter 0), so that nothing is
shared with the C++ but the order of the words.
"""

import itertools
import math
import struct
from fractions import Fraction

DIGIT = 2**32


def chacha20_words():
    def quarter(s, a, b, c, d):
        for to, by, into, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[to] = (s[to] + s[by]) % DIGIT
            mixed = s[into] ^ s[to]
            s[into] = (mixed << turn | mixed >> (32 - turn)) % DIGIT

    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for counter in itertools.count():
        start = list(struct.unpack("<4I", b"expand 32-byte k")) + [0] * 8 + [counter, 0, 0, 0]
        state = start[:]
        for _ in range(10):
            for indices in columns + diagonals:
                quarter(state, *indices)
        yield from ((a + b) % DIGIT for a, b in zip(start, state))


class Words:
    def __init__(self):
        self.stream = chacha20_words()
        self.taken = 0

    def next(self):
        self.taken += 1
        return next(self.stream)

    def below(self, count):
        """Uniform below count: one word, two beyond 2^32, none for 1; the last round rejected."""
        if count == 1:
            return 0
        size = DIGIT if count < DIGIT else DIGIT**2
        while True:
            word = self.next()
            if size > DIGIT:
                word = word * DIGIT + self.next()
            if word < size // count * count:
                return word % count


class Uniform:
    """A number in (0, 1), known to lie in [low, low + width)."""

    def __init__(self):
        self.low, self.width = Fraction(0), Fraction(1)

    def more(self, words):
        self.width /= DIGIT
        self.low += words.next() * self.width


def less(p, q, words):
    """p < q for a new p; q is older, or a fraction. Digits of p are drawn before those of q."""
    while True:
        p.more(words)
        if isinstance(q, Fraction):
            low, end = q, q
        else:
            if q.width > p.width:
                q.more(words)
            low = q.low // p.width * p.width  # as many digits of q as p has
            end = low + p.width
        if p.low + p.width <= low:
            return True
        if p.low >= end:
            return False


def run_is_even(x, words, step=lambda: True):
    last, even = x, True
    while True:
        z = Uniform()
        if not less(z, last, words) or not step():
            return even
        even, last = not even, z


def exponential(words):
    for k in itertools.count():
        x = Uniform()
        if run_is_even(x, words):
            return k, x


def laplace(numerator, denominator, words):
    scale = Fraction(denominator, numerator)
    while True:
        k, x = exponential(words)
        while math.floor(scale * (k + x.low)) != math.ceil(scale * (k + x.low + x.width)) - 1:
            x.more(words)
        magnitude = math.floor(scale * (k + x.low))
        negative = words.next() % 2 == 1
        if not (negative and magnitude == 0):
            return -magnitude if negative else magnitude


def half_exponential(words):
    a = Uniform()
    a.more(words)
    return a.low >= Fraction(1, 2) or not run_is_even(a, words)


def gaussian(numerator, bits, words):
    sigma = Fraction(numerator, 2**bits)
    while True:
        k = 0
        while half_exponential(words):
            k += 1
        if not all(half_exponential(words) for _ in range(k * (k - 1))):
            continue
        negative = words.next() % 2 == 1
        i = math.ceil(k * sigma) + words.below(math.ceil(sigma))
        x = i / sigma - k
        if x >= 1 or (negative and i == 0):
            continue

        def step():
            which = words.below(2 * k + 2)
            return which < 2 * k or (which == 2 * k and less(Uniform(), x, words))

        if all(run_is_even(x, words, step) for _ in range(k + 1)):
            return -i if negative else i


def coin(threshold, bits, words):
    return less(Uniform(), Fraction(threshold, 2**bits), words)


def show(name, draw, count):
    words = Words()
    values = [int(draw(words)) for _ in range(count)]
    print(name, values, words.taken, "words")


def main():
    for rate in ((1, 10), (3, 2), (3, 2**40 + 1), (7, 2**63 + 11), (1, 2**64 - 1)):
        show(f"laplace {rate}", lambda words, r=rate: laplace(*r, words), 16)
    for sigma in ((5, 0), (200, 8), (4429896, 0), (2**59 + 1, 3)):
        show(f"gaussian {sigma}", lambda words, s=sigma: gaussian(*s, words), 16)
    for chance in ((2**63 + 1, 64), (2**120 // 3, 120), (0xade0b876903df1a0 + 1, 64),
                   (0xade0b876903df1a0, 64)):
        show(f"coin {chance}", lambda words, c=chance: coin(*c, words), 24)


if __name__ == "__main__":
    main()
