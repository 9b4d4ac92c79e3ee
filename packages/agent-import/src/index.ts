export { type ImportReport, SessionImporter } from './import/session-importer.ts';
