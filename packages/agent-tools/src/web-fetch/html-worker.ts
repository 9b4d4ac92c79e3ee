import { parentPort, workerData } from 'node:worker_threads';
import { NodeHtmlMarkdown } from 'node-html-markdown';

// Runs in a worker thread that is terminated on timeout.
const html: unknown = workerData;
if (typeof html === 'string') {
  const ignore = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head'];
  parentPort?.postMessage(NodeHtmlMarkdown.translate(html, { ignore }));
}
