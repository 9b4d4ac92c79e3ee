/** Whether a text is one shorter text again and again, at least `times` times; the last one may be cut off. */
export function repeats(text: string, times: number): boolean {
  if (text === '' || times <= 1) return text !== '';
  return text.length / periodOf(text) >= times;
}

/** The length of the shortest beginning that, said over and over, gives the text. */
function periodOf(text: string): number {
  // For each place, how much of the beginning ends there (Knuth, Morris and Pratt).
  const borders = new Uint32Array(text.length);
  for (let place = 1; place < text.length; place++) {
    let border = borders[place - 1] ?? 0;
    while (border > 0 && text[border] !== text[place]) border = borders[border - 1] ?? 0;
    borders[place] = text[border] === text[place] ? border + 1 : border;
  }
  return text.length - (borders[text.length - 1] ?? 0);
}
