import type { Schemas } from '../../data/api';
import { t } from '../../i18n';
import { Tag } from '../../ui/marks';

interface AdapterListProps {
  adapters: readonly Schemas['Adapter'][];
  chosen: string | undefined;
  onChoose: (adapter: Schemas['Adapter']) => void;
}

export function AdapterList({ adapters, chosen, onChoose }: AdapterListProps) {
  const sorted = [...adapters].sort(
    (one, other) => Number(other.available === true) - Number(one.available === true),
  );
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="sr-only">{t('agent.adapter')}</legend>
      {sorted.map((adapter) => (
        <label
          key={adapter.type}
          className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-selected"
        >
          <input
            type="radio"
            name="adapter"
            required
            checked={adapter.type === chosen}
            onChange={() => onChoose(adapter)}
            className="mt-1 size-4 shrink-0 accent-accent-fill"
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{adapter.label}</span>
              <Availability adapter={adapter} />
            </span>
            <span className="block text-sm text-muted">{adapter.description}</span>
            {adapter.available !== true && (
              <span className="block text-xs text-muted">{adapter.reason}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Availability({ adapter: { available } }: { adapter: Schemas['Adapter'] }) {
  if (available === true) return <Tag tone="good">{t('agent.available')}</Tag>;
  if (available === false) return <Tag tone="warn">{t('agent.unavailable')}</Tag>;
  return <Tag>{t('agent.unknown')}</Tag>;
}
