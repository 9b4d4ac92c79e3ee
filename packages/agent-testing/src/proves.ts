export { proves } from './checklist-proof.ts';
