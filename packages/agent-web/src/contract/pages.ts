/** The two documents of the page. Each has only the script of its screens, so that none has to load everything. */
export type PageName = 'sessions' | 'reports';

const reports = /^\/(?:review|usage|fleet|(?:s|tasks)\/[^/]+\/review)$/;

/** The document that has the screen of an address: review, usage and fleet are reports. */
export function pageOf(path: string): PageName {
  return reports.test(path) ? 'reports' : 'sessions';
}
