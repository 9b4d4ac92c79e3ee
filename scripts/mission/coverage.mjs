/**
 * @typedef {{ id: string, text: string, section: string, later: boolean }} Promised
 * @typedef {{ ids: string[], status: string, file: string }} TestCase
 * @typedef {{ section: string, done: number, total: number }} SectionCount
 * @typedef {{ sections: SectionCount[], done: Promised[], failing: Promised[], missing: Promised[], unknown: { id: string, file: string }[] }} Coverage
 */

const id = /[A-Z]-\d+/;

/**
 * The promised features, in the order of the checklist.
 * @param {string} text
 * @returns {Promised[]}
 */
export function parseChecklist(text) {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const heading = /^## (.+)$/.exec(line);
    if (heading) section = String(heading[1]);
    const item = new RegExp(`^- (${id.source}) (.+)$`).exec(line);
    if (!item) return [];
    return { id: String(item[1]), text: String(item[2]), section, later: /`\[(future|ni)\]`/.test(line) };
  });
}

/**
 * The test cases of a Vitest JSON report, with the ids that `proves(…)` gave them.
 * @param {{ testResults: { name: string, assertionResults: { status: string, meta?: { ids?: string[] } }[] }[] }} report
 * @returns {TestCase[]}
 */
export function testCasesOf(report) {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ meta, status }) => ({ ids: meta?.ids ?? [], status, file: name })),
  );
}

/**
 * A promise is kept when a test that names it passes and none that names it fails.
 * @param {Promised[]} promised
 * @param {TestCase[]} cases
 * @returns {Coverage}
 */
export function coverageOf(promised, cases) {
  /** @type {Record<string, Set<string>>} */
  const byStatus = { passed: new Set(), failed: new Set() };
  const known = new Set(promised.map((entry) => entry.id));
  /** @type {Map<string, { id: string, file: string }>} */
  const unknown = new Map();
  for (const { ids, status, file } of cases) {
    for (const named of ids) {
      if (known.has(named)) byStatus[status]?.add(named);
      else unknown.set(`${named} ${file}`, { id: named, file });
    }
  }
  const failing = promised.filter((entry) => byStatus.failed?.has(entry.id));
  const done = promised.filter((entry) => byStatus.passed?.has(entry.id) && !failing.includes(entry));
  const missing = promised.filter((entry) => !done.includes(entry) && !failing.includes(entry));
  return { sections: countSections(promised, done), done, failing, missing, unknown: [...unknown.values()] };
}

function countSections(/** @type {Promised[]} */ promised, /** @type {Promised[]} */ done) {
  return [...new Set(promised.map((entry) => entry.section))].map((section) => ({
    section,
    done: done.filter((entry) => entry.section === section).length,
    total: promised.filter((entry) => entry.section === section).length,
  }));
}
