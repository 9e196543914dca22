import { Check, ChevronRight, CircleAlert, Copy, LoaderCircle, Minus } from 'lucide-react';
import { createElement, Fragment } from 'react';
import { t, word } from '../../../i18n';
import { formatDuration } from '../../../i18n/formats';
import { copyText } from '../../browser/copy-text';
import { IconButton } from '../../button';
import { classNames } from '../../class-names';
import { Markdown } from '../../markdown/markdown';
import { TextDiff } from '../../text-diff/text-diff';
import { showToast } from '../../toast';
import { parseLines, plainText } from '../ansi';
import { pieceOf } from '../log-rows';
import { type CallPart, type DescribedCall, describeCall, type Part } from './read-transcript';

interface PartProps {
  part: Part;
  isOpen: boolean;
  isLive: boolean;
  text: string;
  onToggle: () => void;
}

export function PartView({ part, isOpen, isLive, text, onToggle }: PartProps) {
  switch (part.kind) {
    case 'call':
      return <Call {...{ part, isOpen, isLive, text, onToggle }} />;
    case 'message':
      return <Markdown text={part.text} className="max-w-[80ch] py-2.5" />;
    case 'error':
      return (
        <p className="my-1.5 rounded-md bg-bad-soft px-2.5 py-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <strong className="text-bad">{t('transcript.error')}</strong>{' '}
          <Lines of={part.text} text={text} />
        </p>
      );
    default:
      return (
        <p
          className={classNames(
            'py-1 text-xs whitespace-pre-wrap text-muted [overflow-wrap:anywhere]',
            part.kind === 'other' && 'font-mono',
          )}
        >
          {part.kind === 'usage' && <strong>{t('transcript.usage')} </strong>}
          <Lines of={part.text} text={text} />
        </p>
      );
  }
}

function Call({ part, isOpen, isLive, text, onToggle }: PartProps & { part: CallPart }) {
  const call = describeCall(part.call);
  const state = part.result
    ? part.result.isFailed
      ? 'failed'
      : 'succeeded'
    : isLive
      ? 'running'
      : 'none';
  const [Icon, tone] = ICONS[state];
  const stateText = state === 'none' ? t('transcript.noResult') : word('runStatus', state);
  const { exitCode, ms } = part.result ?? {};
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-md text-left hover:bg-hover max-md:min-h-9"
      >
        <ChevronRight
          size={13}
          aria-hidden
          className={classNames('shrink-0 text-muted', isOpen && 'rotate-90')}
        />
        <Icon size={14} aria-hidden className={classNames('shrink-0', tone)} />
        <span className="shrink-0 font-medium empty:hidden">
          {part.call === '' ? t('transcript.earlier') : plainText(call.name)}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs">
          {plainText(call.argument)}
        </span>
        <span
          className={classNames('shrink-0 text-xs', state === 'failed' ? 'text-bad' : 'text-muted')}
        >
          <span className={classNames(state === 'succeeded' && 'sr-only')}>{stateText} </span>
          {exitCode !== undefined && `(${exitCode}) `}
          {ms !== undefined && formatDuration(ms)}
        </span>
      </button>
      {isOpen && <CallDetails {...{ part, call, text }} />}
    </>
  );
}

const ICONS = {
  succeeded: [Check, 'text-good'],
  failed: [CircleAlert, 'text-bad'],
  running: [LoaderCircle, 'text-live'],
  none: [Minus, 'text-muted'],
} as const;

function CallDetails(props: { part: CallPart; call: DescribedCall; text: string }) {
  const { part, call, text } = props;
  const input = call.fields.map(([name, value]) => (name ? `${name}: ${value}` : value)).join('\n');
  return (
    <div className="mb-2 ml-5 flex flex-col gap-1.5">
      {call.edit && <TextDiff {...call.edit} />}
      {input !== '' && <Block label={t('transcript.input')} of={input} text={text} />}
      {part.output === '' ? (
        <p className="text-xs text-muted">{t('transcript.noOutput')}</p>
      ) : (
        <Block label={t('transcript.output')} of={part.output} text={text} />
      )}
    </div>
  );
}

function Block({ label, of, text }: { label: string; of: string; text: string }) {
  const copy = async () => {
    await copyText(of.split('\n').map(plainText).join('\n'));
    showToast({ text: t('action.copied') });
  };
  return (
    <div>
      <div className="flex items-center justify-between text-xs text-muted">
        {label}
        <IconButton
          icon={Copy}
          label={`${t('action.copy')}: ${label}`}
          onClick={() => void copy()}
        />
      </div>
      <section
        aria-label={label}
        dir="ltr"
        className="rounded-md border border-line bg-surface px-2.5 py-1.5 font-mono text-xs leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <Lines of={of} text={text} />
      </section>
    </div>
  );
}

function Lines({ of, text }: { of: string; text: string }) {
  const pieces = parseLines(of.split('\n')).flatMap((spans, line) => [
    line > 0 && '\n',
    ...spans.map(pieceOf(text)),
  ]);
  return createElement(Fragment, null, ...pieces);
}
