export { createGoogleProvider } from './google-provider.ts';
