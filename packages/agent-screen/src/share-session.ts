import {
  type InteractiveSession,
  isLoopEvent,
  type QuestionSource,
  type SessionEvent,
} from '@robota-sdk/agent-sdk/front-end';

export interface ShareOptions {
  readonly questions: QuestionSource;
  /** The folder of sockets and secrets. */
  readonly folder: string;
  /** Tells the user that the session continues in a browser, and releases it. */
  release(): Promise<void>;
}

/** Events of a run that are kept until the link is loaded. */
const mostHeard = 1000;
const afterMs = 200;

/**
 * Lets `robota web` show a session, answer its questions and take it over. Nothing is loaded before the session has a file,
 * and nothing happens while it is idle. The returned function ends it.
 */
export function shareSession(session: InteractiveSession, options: ShareOptions): () => void {
  let heard: SessionEvent[] = [];
  let isOver = false;
  let isBegun = false;
  let stop = session.subscribe((event) => {
    if (event.type === 'run-start') heard = [];
    if (isLoopEvent(event) && heard.length < mostHeard) heard.push(event);
    if (event.type === 'message-append') begin();
  });
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    // After what is being drawn now. A session that cannot be shared works anyway.
    setTimeout(() => void share().catch(() => {}), afterMs).unref();
  };
  const share = async () => {
    const { LinkFolder, SharedSession, serveLink } = await import('@robota-sdk/agent-link');
    if (isOver) return;
    stop();
    const { questions, folder, release } = options;
    const shared = new SharedSession({ session, front: 'terminal', questions, heard, release });
    stop = () => shared.close();
    await serveLink(shared, new LinkFolder(folder));
  };
  if (session.getMessages().length > 0) begin();
  return () => {
    isOver = true;
    stop();
  };
}
