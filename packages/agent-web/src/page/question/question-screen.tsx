import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AnswerRequest, StaleAnswer, WebQuestion } from '../../contract/question.ts';
import { ApiError, messageOf, post } from '../base/api.ts';
import { now } from '../base/clock.ts';
import { focusSoon, useFocus } from '../base/focus.ts';
import { dollars, modelName, shortSpan } from '../base/format.ts';
import { useKeys } from '../base/keys.ts';
import { navigate, pathBefore } from '../base/router.ts';
import { AppShell, BackButton, ProjectAndBranch, TopTitle } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { Segmented } from '../components/segmented.tsx';
import { Tag } from '../components/status.tsx';
import { SessionStore } from '../session/session-store.ts';
import { AnswerForm } from './answer-form.tsx';
import { ChoiceDetail, headingOf, QuestionSubject, ReasonList } from './question-content.tsx';

const hints = '1–4 choose · enter confirm · esc deny and stop · c copy · t transcript';

/** The questions of a session, one at a time, each with everything that an answer needs. */
export function QuestionScreen({ id }: { readonly id: string }) {
  const store = useMemo(() => new SessionStore(id), [id]);
  const [shown, setShown] = useState<string | undefined>(undefined);
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  const state = store.state.value;
  const questions = state?.questions ?? [];
  const question = questions.find((each) => each.id === shown) ?? questions[0];
  const session = `/s/${encodeURIComponent(id)}`;
  useKeys(
    useMemo(
      () => [
        { keys: 't', label: 'Transcript', act: () => navigate(session) },
        {
          keys: 'c',
          label: 'Copy the command',
          act: () => document.querySelector<HTMLElement>('.question-command .button')?.click(),
        },
      ],
      [session],
    ),
  );
  return (
    <AppShell
      title={state?.title ?? 'Question'}
      detail
      fills
      session={id}
      hints={hints}
      bar={
        <>
          <BackButton />
          <TopTitle isPlain title={state?.title ?? 'Question'} detail={<Facts store={store} />} />
          {question && questions.length > 1 && (
            <Segmented
              label="Question"
              value={question.id}
              options={questions.map(({ id: value }, index) => ({ value, text: String(index + 1) }))}
              onChange={setShown}
            />
          )}
          <Button href={session} keys="t">
            Transcript
          </Button>
        </>
      }
    >
      <div class="question-scroll">
        <div class="question-page">
          {state === undefined && store.error.value === undefined && <Loading rows={4} />}
          {state === undefined && store.error.value !== undefined && (
            <ErrorCard
              title="Cannot read the question."
              message={store.error.value}
              onRetry={() => void store.load()}
            />
          )}
          {state !== undefined && <Current store={store} question={question} session={session} />}
        </div>
      </div>
    </AppShell>
  );
}

function Facts({ store }: { readonly store: SessionStore }) {
  const state = store.state.value;
  const head = store.head.value;
  if (!state || !head) return null;
  return (
    <>
      <ProjectAndBranch cwd={head.cwd} branch={state.branch} />
      {state.model && ` · ${modelName(state.model)}`}
      {state.cost !== null && ` · ${dollars(state.cost)}`}
    </>
  );
}

interface CurrentProps {
  readonly store: SessionStore;
  readonly question: WebQuestion | undefined;
  readonly session: string;
}

/** The question that is shown, and what became of the one before it. */
function Current({ store, question, session }: CurrentProps) {
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<string | undefined>(undefined);
  const last = useRef<WebQuestion | undefined>(undefined);
  const isGone = last.current && !store.state.value?.questions.some(({ id }) => id === last.current?.id);
  useEffect(() => {
    // It was answered in a terminal, in another browser, or by the end of the run.
    if (isGone) setNotice('The question before was settled elsewhere.');
    last.current = question;
  }, [question?.id]);
  const answer = async (asked: WebQuestion, given: AnswerRequest['answer']) => {
    setBusy(true);
    try {
      const body: AnswerRequest = { questionId: asked.id, digest: asked.digest, answer: given };
      await post(`/api/sessions/${encodeURIComponent(store.id)}/answers`, body);
      setNotice(undefined);
      last.current = undefined;
      settle(store, asked);
      if (store.state.value?.questions.length === 0) return leave(store.id, session);
    } catch (error) {
      setNotice(messageOf(error));
      last.current = undefined;
      if (error instanceof ApiError && error.status === 409) settle(store, asked, error.body as StaleAnswer);
    }
    setBusy(false);
  };
  return (
    <>
      {notice !== undefined && (
        <p class="question-notice" role="alert">
          {notice}
        </p>
      )}
      {question ? (
        <article class="card question" key={question.digest} aria-labelledby="question-title">
          <Heading question={question} store={store} />
          <QuestionSubject question={question} cwd={store.head.value?.cwd ?? ''} />
          <ReasonList question={question} />
          <AnswerForm
            key={question.digest}
            question={question}
            isBusy={isBusy}
            isElsewhere={store.state.value?.holder === 'elsewhere'}
            detailOf={(choice) => <ChoiceDetail choice={choice} />}
            onAnswer={(given) => void answer(question, given)}
          />
        </article>
      ) : (
        <NoQuestion session={session} />
      )}
    </>
  );
}

function NoQuestion({ session }: { readonly session: string }) {
  useEffect(() => focusSoon('.question-page .button-primary'), []);
  return (
    <EmptyState
      action={
        <>
          <Button kind="primary" href={session}>
            Open the session
          </Button>
          <Button href="/">Back to the board</Button>
        </>
      }
    >
      No question waits in this session.
    </EmptyState>
  );
}

/** Goes back to the session or the board, where the user came from. */
function leave(id: string, session: string): void {
  const isFromSession = pathBefore === session;
  navigate(isFromSession ? session : '/', { replace: true });
  focusSoon(isFromSession ? '#composer' : `[data-card="${CSS.escape(id)}"]`);
}

/** Takes an answered question off the screen before the stream says so. */
function settle(store: SessionStore, asked: WebQuestion, stale?: StaleAnswer): void {
  const state = store.state.value;
  if (!state) return;
  const questions = stale?.questions ?? state.questions.filter(({ id }) => id !== asked.id);
  store.state.value = { ...state, questions };
}

function Heading({ question, store }: { readonly question: WebQuestion; readonly store: SessionStore }) {
  const { icon, text } = headingOf(question);
  // A new question takes the focus, which its predecessor had.
  const title = useFocus<HTMLHeadingElement>();
  const questions = store.state.value?.questions ?? [];
  const index = questions.findIndex(({ id }) => id === question.id);
  const behind = questions.length - index - 1;
  const place = `Question ${index + 1} of ${questions.length}${behind > 0 ? ` · ${behind} more waiting` : ''}`;
  return (
    <header>
      <span class="question-icon">
        <Icon name={icon} />
      </span>
      <div class="grow" role="alert">
        <h1 id="question-title" ref={title} tabindex={-1}>
          {text}
        </h1>
        <p class="small dim">{questions.length === 1 ? 'No other question waits' : place}</p>
      </div>
      <WaitingTag since={question.asked} />
    </header>
  );
}

function WaitingTag({ since }: { readonly since: number }) {
  return <Tag tone="need">Waiting {shortSpan(now.value - since)}</Tag>;
}
