import { drawing, element } from './element.ts';
import { count, dollars, shortCount } from './numbers.ts';
import type { Turn } from './turns.ts';

const width = 440;
const height = 150;
const frame = { left: 46, right: 46, top: 10, bottom: 20 };
const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };

const parts = [
  { key: 'cacheRead', name: 'cache read' },
  { key: 'cacheWrite', name: 'cache write' },
  { key: 'input', name: 'input' },
  { key: 'output', name: 'output' },
] as const;

/** Tokens and cost of each turn, and the cumulative cost. A bar links to its turn. */
export function renderCharts(turns: readonly Turn[], onChoose: (entryId: string) => void): HTMLElement {
  const root = element('section', { class: 'charts', 'aria-label': 'Tokens and cost by turn' });
  if (turns.length === 0) return root;
  root.append(tokenChart(turns, onChoose), costChart(turns, onChoose));
  return root;
}

type Choose = (entryId: string) => void;

function tokenChart(turns: readonly Turn[], onChoose: Choose): HTMLElement {
  const most = Math.max(1, ...turns.map((turn) => parts.reduce((sum, { key }) => sum + turn[key], 0)));
  const bars = turns.map((turn, index) => {
    let top = frame.top + inner.height;
    const rows = parts.map(({ key }) => {
      const size = (turn[key] / most) * inner.height;
      top -= size;
      return drawing('rect', { class: `bar ${key}`, ...columnOf(index, turns.length), y: top, height: size });
    });
    const told = parts.map(({ key, name }) => `${count(turn[key])} ${name}`).join(', ');
    return bar(`Turn ${turn.label}: ${told}`, rows, () => onChoose(turn.entryId));
  });
  const legend = parts.map(({ key, name }) => element('span', { class: `key ${key}` }, name));
  const image = chart('Tokens by turn', [...axis(most, shortCount, 'left'), ...turnLabels(turns), ...bars]);
  return figure('Tokens', legend, image);
}

function costChart(turns: readonly Turn[], onChoose: Choose): HTMLElement {
  const most = Math.max(1e-9, ...turns.map(({ cost }) => cost));
  const total = Math.max(1e-9, turns.at(-1)?.total ?? 0);
  const bars = turns.map((turn, index) => {
    const size = (turn.cost / most) * inner.height;
    const y = frame.top + inner.height - size;
    const rect = drawing('rect', { class: 'bar cost', ...columnOf(index, turns.length), y, height: size });
    const title = `Turn ${turn.label}: ${dollars(turn.cost)}, ${dollars(turn.total)} so far`;
    return bar(title, [rect], () => onChoose(turn.entryId));
  });
  const points = turns.map((turn, index) => {
    const { x, width: columnWidth } = columnOf(index, turns.length);
    return `${x + columnWidth / 2},${frame.top + inner.height * (1 - turn.total / total)}`;
  });
  const line = drawing('polyline', { class: 'total-line', points: points.join(' ') });
  const legend = [
    element('span', { class: 'key cost' }, 'of the turn'),
    element('span', { class: 'key total' }, 'so far'),
  ];
  const isFree = (turns.at(-1)?.total ?? 0) === 0;
  const axes = isFree ? [] : [...axis(most, dollars, 'left'), ...axis(total, dollars, 'right')];
  return figure(
    'Cost',
    legend,
    chart('Cost by turn and so far', [...axes, ...turnLabels(turns), ...bars, line]),
  );
}

function figure(title: string, legend: readonly HTMLElement[], image: SVGElement): HTMLElement {
  const caption = element('figcaption', {}, element('strong', {}, title), ...legend);
  return element('figure', {}, caption, image);
}

function chart(name: string, content: readonly Node[]): SVGElement {
  return drawing('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name }, ...content);
}

function bar(title: string, content: readonly Node[], act: () => void): SVGElement {
  const group = drawing('g', { class: 'turn' }, drawing('title', {}, title), ...content);
  group.addEventListener('click', act);
  return group;
}

function columnOf(index: number, total: number): { x: number; width: number } {
  const step = inner.width / total;
  const wide = Math.min(step * 0.75, 28);
  return { x: frame.left + step * index + (step - wide) / 2, width: wide };
}

function axis(most: number, format: (value: number) => string, side: 'left' | 'right'): SVGElement[] {
  return [0, 0.5, 1].flatMap((share) => {
    const y = frame.top + inner.height * (1 - share);
    const x = side === 'left' ? frame.left - 6 : width - frame.right + 6;
    const label = drawing('text', { class: `axis ${side}`, x, y: y + 3 }, format(most * share));
    if (side === 'right') return [label];
    return [drawing('line', { class: 'grid', x1: frame.left, x2: width - frame.right, y1: y, y2: y }), label];
  });
}

function turnLabels(turns: readonly Turn[]): SVGElement[] {
  const every = Math.ceil(turns.length / 12);
  return turns.flatMap((turn, index) => {
    if (index % every !== 0) return [];
    const { x, width: columnWidth } = columnOf(index, turns.length);
    return [drawing('text', { class: 'axis middle', x: x + columnWidth / 2, y: height - 5 }, turn.label)];
  });
}
