/** How many levels elements, arrays and objects may nest: far more than people write, far less than the stack holds. */
export const deepest = 500;
