import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useAgents } from '../../data/directory';
import { useHeld } from '../../data/draft';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { Checkbox, Field, Input, options, Select, Textarea } from '../../ui/field';
import { Markdown } from '../../ui/markdown/markdown';
import { Options } from '../approval/options';
import { RequestFactsOf } from '../approval/request-facts';
import { addressOf } from './address-of';
import type { InboxAction, InboxItem } from './inbox-item';
import { labelOf } from './label-of';

type InboxField = Schemas['InboxField'];

interface ActionDialogProps {
  item: InboxItem;
  action: InboxAction;
  isBusy: boolean;
  onSend: (values: Record<string, unknown>) => void;
  onClose: () => void;
}

export function ActionDialog({ item, action, isBusy, onSend, onClose }: ActionDialogProps) {
  const { issuePrefix } = useCompany();
  const fields = action.fields ?? [];
  const held = useHeld<Record<string, string>>(
    `inbox ${item.id} ${action.name}`,
    Object.fromEntries(fields.map((field) => [field.name, presetOf(field)])),
  );
  const { value: typed, change } = held;
  const choice = fields.find(({ type, required }) => type === 'choice' && required);
  const isComplete = fields.every(({ name, required }) => !required || typed[name]?.trim());
  return (
    <Dialog
      title={labelOf(action)}
      onClose={onClose}
      held={held}
      footer={
        <>
          <Button
            tone="quiet"
            onClick={() => {
              held.clear();
              onClose();
            }}
          >
            {t('action.cancel')}
          </Button>
          {!choice && (
            <Button
              tone="primary"
              type="submit"
              form="inbox-action"
              isBusy={isBusy}
              disabled={!isComplete}
            >
              {labelOf(action)}
            </Button>
          )}
        </>
      }
    >
      <form
        id="inbox-action"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!choice) onSend(valuesOf(fields, typed));
        }}
      >
        <div className="text-sm">
          <p className="font-medium">{item.title}</p>
          <Markdown text={item.reason} className="mb-2 text-muted" />
          {item.kind === 'approval' && item.approvalId && (
            <RequestFactsOf approvalId={item.approvalId} />
          )}
          <Link
            {...addressOf(item, issuePrefix)}
            className="mt-1 inline-block text-accent underline"
          >
            {t('needsYou.readInFull')}
          </Link>
        </div>
        {fields
          .filter((field) => field !== choice)
          .map((field) =>
            field.type === 'boolean' ? (
              <WakeBox
                key={field.name}
                field={field}
                checked={typed[field.name] === 'true'}
                onChange={(event) => change({ [field.name]: String(event.target.checked) })}
              />
            ) : (
              <Field
                key={field.name}
                name={field.name}
                label={`${word('inboxField', field.name)}${field.required ? '' : ` (${t('form.optional')})`}`}
              >
                {(control) => (
                  <Control
                    {...control}
                    field={field}
                    value={typed[field.name] ?? ''}
                    onChange={(value) => change({ [field.name]: value })}
                  />
                )}
              </Field>
            ),
          )}
        {choice && (
          <Options
            options={choice.options ?? []}
            recommended={choice.recommended}
            isBusy={isBusy}
            onChoose={(key) => onSend(valuesOf(fields, { ...typed, [choice.name]: key }))}
          />
        )}
      </form>
    </Dialog>
  );
}

function Control({
  field,
  onChange,
  ...rest
}: {
  id: string;
  field: InboxField;
  value: string;
  onChange: (value: string) => void;
}) {
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  if (field.type === 'agent') return <AgentSelect {...rest} onChange={change} />;
  if (field.type === 'choice') {
    return (
      <Select {...rest} onChange={change}>
        {!field.required && <option value="">{t('form.none')}</option>}
        {options(
          field.options?.map(({ key, label }) => [
            key,
            key === field.recommended ? `${label} (${t('form.recommended')})` : label,
          ]),
        )}
      </Select>
    );
  }
  if (field.type === 'cents') {
    return (
      <Input
        {...rest}
        onChange={change}
        type="number"
        step="0.01"
        min={(field.minimum ?? 0) / 100}
        inputMode="decimal"
      />
    );
  }
  return <Textarea {...rest} onChange={change} />;
}

function WakeBox({
  field,
  ...rest
}: {
  field: InboxField;
  checked: boolean;
  onChange: (event: { target: { checked: boolean } }) => void;
}) {
  const agents = useAgents();
  const names = field.agentIds?.flatMap((agentId) => agents.get(agentId)?.name ?? []) ?? [];
  const label =
    names.length > 0
      ? t('mention.address', { name: names.join(', ') })
      : word('inboxField', field.name);
  return <Checkbox {...rest} label={label} />;
}

function AgentSelect(props: {
  id: string;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}) {
  const { present } = useAgents();
  return (
    <Select {...props}>
      <option value="" />
      {options(present.map((agent) => [agent.id, agent.name]))}
    </Select>
  );
}

function valuesOf(fields: readonly InboxField[], typed: Record<string, string>) {
  const values: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const text = typed[name]?.trim();
    if (!text) continue;
    values[name] = READ[type]?.(text) ?? text;
  }
  return values;
}

function presetOf({ type, recommended, preset }: InboxField): string {
  if (recommended !== undefined) {
    return type === 'cents' ? String(Number(recommended) / 100) : recommended;
  }
  return String(preset ?? '');
}

const READ: Partial<Record<InboxField['type'], (text: string) => unknown>> = {
  cents: (text) => Math.round(Number(text) * 100),
  json: (text) => JSON.parse(text),
  boolean: (text) => text === 'true',
};
