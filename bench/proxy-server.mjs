// A forward proxy that leads every host to this machine. It sends its address to its parent, and ends with it.
import { createServer, request } from 'node:http';
import { connect } from 'node:net';

const server = createServer((incoming, outgoing) => {
  const { pathname, search, port } = new URL(incoming.url ?? '');
  const { method, headers } = incoming;
  const target = request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  target.on('error', () => outgoing.destroy());
  incoming.pipe(target);
});
server.on('connect', (incoming, client, head) => {
  const target = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    target.pipe(client).pipe(target);
  });
  target.on('error', () => client.destroy());
  client.on('error', () => target.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '');
});
process.once('disconnect', () => process.exit());
