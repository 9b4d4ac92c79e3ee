/** An object with the one field, or without it where there is no value; for spreading. */
export function given<K extends string, T>(name: K, value: T | undefined): { readonly [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in K]: T });
}
