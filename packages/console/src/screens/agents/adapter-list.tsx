import { Copy } from 'lucide-react';
import type { Schemas } from '../../data/api';
import { t, word } from '../../i18n';
import { copyText } from '../../ui/browser/copy-text';
import { IconButton } from '../../ui/button';
import { Tag } from '../../ui/marks';
import { showToast } from '../../ui/toast';
import { CODING_AGENTS } from './coding-agents';

type Adapter = Schemas['Adapter'];

interface AdapterListProps {
  adapters: readonly Adapter[];
  chosen: string | undefined;
  onChoose: (adapter: Adapter) => void;
}

export function AdapterList({ adapters, chosen, onChoose }: AdapterListProps) {
  const isCoding = ({ type }: Adapter) => Number(type in CODING_AGENTS);
  const sorted = [...adapters].sort((one, other) => isCoding(other) - isCoding(one));
  const adapter = adapters.find(({ type }) => type === chosen);
  return (
    <>
      <fieldset className="grid gap-1.5 md:grid-cols-2">
        <legend className="sr-only">{t('agent.adapter')}</legend>
        {sorted.map((each) => (
          <label
            key={each.type}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 hover:bg-hover has-checked:border-accent has-checked:bg-selected"
          >
            <input
              type="radio"
              name="adapter"
              required
              checked={each.type === chosen}
              onChange={() => onChoose(each)}
              className="size-4 shrink-0 accent-accent-fill"
            />
            <span className="min-w-0 flex-1 truncate font-medium">{each.label}</span>
            <Availability adapter={each} />
          </label>
        ))}
      </fieldset>
      {adapter && <AboutAdapter adapter={adapter} />}
    </>
  );
}

export function AboutAdapter({
  adapter: { type, description, available, reason },
}: {
  adapter: Adapter;
}) {
  const install = CODING_AGENTS[type]?.install;
  return (
    <div className="text-sm text-muted">
      <p>{word('adapterText', type, description)}</p>
      {available !== true &&
        (install ? (
          <p className="flex flex-wrap items-center gap-x-1.5">
            {t('hire.notInstalled')}
            <code className="font-mono text-xs">{install}</code>
            <IconButton
              icon={Copy}
              label={t('action.copy')}
              onClick={() => {
                void copyText(install);
                showToast({ text: t('action.copied') });
              }}
            />
          </p>
        ) : (
          <p>{reason}</p>
        ))}
    </div>
  );
}

export function Availability({ adapter: { available } }: { adapter: Adapter }) {
  if (available === true) return <Tag tone="good">{t('agent.available')}</Tag>;
  if (available === false) return <Tag tone="warn">{t('agent.unavailable')}</Tag>;
  return <Tag>{t('agent.unknown')}</Tag>;
}
