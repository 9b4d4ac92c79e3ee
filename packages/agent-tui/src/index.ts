export { EscapeFilter, type EscapeFilterOptions, filterEscapes } from './text/escape-filter.ts';
