export { createOfflineProvider } from './provider/offline-provider.ts';
