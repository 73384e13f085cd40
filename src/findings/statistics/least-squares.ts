// Weighted least squares for a few columns. Priors can pull some coefficients toward 0.

/** Solution of a weighted least squares fit. */
export interface Fit {
  /** One coefficient per column. */
  readonly coefficients: Float64Array;
  /** Variance of the last coefficient, if weights are inverses of variances. */
  readonly lastVariance: number;
}

/**
 * Fits `values` by the rows of `design`, which has `width` columns. `ridge` has the inverse of each
 * coefficient's prior variance, or 0 if it has no prior. Returns undefined if the columns are
 * linearly dependent.
 */
export function fitWeighted(
  design: Float64Array,
  width: number,
  values: Float64Array,
  weights: Float64Array,
  ridge: Float64Array,
): Fit | undefined {
  const matrix = new Float64Array(width * width);
  const right = new Float64Array(width);
  for (let row = 0; row < values.length; row += 1) {
    const at = row * width;
    for (let i = 0; i < width; i += 1) {
      const weighted = weights[row] * design[at + i];
      if (weighted === 0) continue;
      right[i] += weighted * values[row];
      for (let j = 0; j <= i; j += 1) matrix[i * width + j] += weighted * design[at + j];
    }
  }
  for (let i = 0; i < width; i += 1) matrix[i * width + i] += ridge[i];
  if (!factorize(matrix, width)) return undefined;
  const coefficients = solve(matrix, width, right);
  // The last diagonal element of the inverse matrix is 1 / x ** 2, where x is the last diagonal
  // element of the factor.
  return { coefficients, lastVariance: 1 / matrix[width * width - 1] ** 2 };
}

/**
 * Replaces the lower triangle of a matrix with its Cholesky factor. Returns false if the matrix is
 * singular.
 */
function factorize(matrix: Float64Array, width: number): boolean {
  for (let i = 0; i < width; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = matrix[i * width + j];
      const whole = sum;
      for (let k = 0; k < j; k += 1) sum -= matrix[i * width + k] * matrix[j * width + k];
      if (i !== j) matrix[i * width + j] = sum / matrix[j * width + j];
      else if (sum > smallestShare * whole) matrix[i * width + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Smallest share of a column that the other columns must leave unexplained. */
const smallestShare = 1e-10;

function solve(factor: Float64Array, width: number, right: Float64Array): Float64Array {
  const solution = Float64Array.from(right);
  for (let i = 0; i < width; i += 1) {
    for (let k = 0; k < i; k += 1) solution[i] -= factor[i * width + k] * solution[k];
    solution[i] /= factor[i * width + i];
  }
  for (let i = width - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < width; k += 1) solution[i] -= factor[k * width + i] * solution[k];
    solution[i] /= factor[i * width + i];
  }
  return solution;
}
