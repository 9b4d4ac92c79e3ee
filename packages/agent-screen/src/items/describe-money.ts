/** Formats an amount of US dollars with two digits: `$0.03`, `<$0.01`. */
export function describeMoney(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '<$0.01';
  return `$${dollars.toFixed(2)}`;
}
