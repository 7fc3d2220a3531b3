"""`exp` and `log` for compiled code, the same to the last bit on every target.

Each system brings its own, and they differ in the last digit. These are made of additions,
multiplications and divisions alone, which are the same everywhere (as `sqrt` is), and are right but
for the last bit or two.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, jit

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""The logarithm of two; the first part has zeros at its end, so that products of it are exact."""
SQRT_2 = 1.4142135623730951
MAX_EXP, MIN_EXP = 709.0, -708.0
EXPONENT_BIAS, MANTISSA_BITS = 1023, 52
MANTISSA_MASK, ONE = (1 << MANTISSA_BITS) - 1, EXPONENT_BIAS << MANTISSA_BITS


@jit
def exp(x: float) -> float:
    """e to the power of x; beyond what a float can hold, the nearest that this reaches."""
    x = min(MAX_EXP, max(MIN_EXP, x))
    twos = i64(x * LOG2_E + 0.5) if x >= 0.0 else i64(x * LOG2_E - 0.5)
    r = (x - twos * LN2_HIGH) - twos * LN2_LOW
    total = 1.0
    for n in range(14, 0, -1):
        total = 1.0 + total * r / n
    return total * float_from_bits(i64(i64(twos + EXPONENT_BIAS) << MANTISSA_BITS))


@jit
def log(x: float) -> float:
    """The natural logarithm of a number above zero that is not too small to be normal."""
    bits = bits_of_float(x)
    twos = i64(i64(bits >> MANTISSA_BITS) - EXPONENT_BIAS)
    part = float_from_bits(i64(i64(bits & MANTISSA_MASK) | ONE))
    if part > SQRT_2:
        part, twos = part * 0.5, i64(twos + 1)
    s = (part - 1.0) / (part + 1.0)
    z, total = s * s, 0.0
    for n in range(23, 0, -2):
        total = total * z + 1.0 / n
    return twos * LN2_HIGH + (2.0 * s * total + twos * LN2_LOW)


@jit
def float_from_bits(bits: int) -> float:
    return np.int64(bits).view(np.float64)


@jit
def bits_of_float(x: float) -> int:
    return i64(np.float64(x).view(np.int64))
