/** US dollars for people: cents, and for less than a dollar as many more digits as tell amounts apart. */
export function describeCost(dollars: number): string {
  if (dollars <= 0) return '$0';
  if (dollars < 0.00005) return '<$0.0001';
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(4).replace(/0{1,2}$/, '')}`;
}
