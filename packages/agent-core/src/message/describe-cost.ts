/** Formats US dollars: cents, and more digits below a dollar to tell amounts apart. */
export function describeCost(dollars: number): string {
  if (dollars <= 0) return '$0';
  if (dollars < 0.00005) return '<$0.0001';
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(4).replace(/0{1,2}$/, '')}`;
}
