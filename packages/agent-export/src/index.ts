export { exportSession } from './view/export-session.ts';
export { exportTarget } from './view/export-target.ts';
export { writeExport } from './view/write-export.ts';
