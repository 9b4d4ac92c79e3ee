export { createOfflineProvider } from './offline-provider.ts';
