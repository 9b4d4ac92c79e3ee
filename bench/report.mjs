/**
 * @typedef {object} Row One line of the result.
 * @property {string} name
 * @property {number} ours
 * @property {number} [reference]
 * @property {'ms' | 'µs' | 'MB' | 'bytes' | 'requests' | 'count'} unit
 * @property {number} [ratio] Ours by the reference.
 * @property {number} [limit] Of the ratio, or of our figure where there is no reference.
 * @property {boolean} [ok] Absent where there is no limit.
 */

/**
 * A figure beside that of a reference; the limit is one of their ratio.
 * @param {Pick<Row, 'name' | 'ours' | 'unit'> & { reference: number, limit?: number | undefined }} figures
 * @returns {Row}
 */
export function compared({ limit, ...figures }) {
  const ratio = figures.ours / figures.reference;
  return { ...figures, ratio, ...(limit === undefined ? {} : { limit, ok: ratio <= limit }) };
}

/**
 * A figure that stands alone; the limit is one of the figure.
 * @param {Pick<Row, 'name' | 'ours' | 'unit' | 'limit'>} figures
 * @returns {Row}
 */
export function absolute({ limit, ...figures }) {
  return { ...figures, ...(limit === undefined ? {} : { limit, ok: figures.ours <= limit }) };
}

/** The rows as a table in plain text. */
export function tableOf(/** @type {readonly Row[]} */ rows) {
  const cells = [['', 'ours', 'reference', 'ratio', 'limit', ''], ...rows.map(cellsOf)];
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(...cells.map((row) => String(row[column]).length)),
  );
  const lines = cells.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return `${lines.map((line) => line.join('  ').trimEnd()).join('\n')}\n`;
}

function cellsOf(/** @type {Row} */ { name, ours, reference, unit, ratio, limit, ok }) {
  return [
    name,
    amount(ours, unit),
    reference === undefined ? '' : amount(reference, unit),
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    limit === undefined ? '' : reference === undefined ? amount(limit, unit) : `${limit} ×`,
    ok === undefined ? '' : ok ? 'ok' : 'over',
  ];
}

function amount(/** @type {number} */ value, /** @type {Row['unit']} */ unit) {
  const digits = unit === 'bytes' || unit === 'requests' || unit === 'count' ? 0 : value < 10 ? 2 : 1;
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === 'count' ? number : `${number} ${unit}`;
}
