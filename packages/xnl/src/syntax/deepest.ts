/**
 * Maximum nesting of elements, arrays and objects: far more than documents use, far less than the stack
 * holds.
 */
export const deepest = 500;
