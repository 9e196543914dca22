import type { Schemas } from '../../data/api';
import { useAgents, useProjects } from '../../data/directory';
import { t, word } from '../../i18n';
import { InputField, options, SelectField, TextareaField } from '../../ui/field';

export type RoutineDraft = Pick<
  Schemas['Routine'],
  | 'title'
  | 'description'
  | 'assigneeAgentId'
  | 'projectId'
  | 'priority'
  | 'concurrencyPolicy'
  | 'catchUpPolicy'
>;

const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
const CONCURRENCY = ['coalesce_if_active', 'skip_if_active', 'always_enqueue'] as const;
const CATCH_UP = ['skip_missed', 'enqueue_missed_with_cap'] as const;

interface RoutineFieldsProps {
  value: RoutineDraft;
  onChange: (changes: Partial<RoutineDraft>) => void;
}

export function RoutineFields({ value, onChange }: RoutineFieldsProps) {
  const agents = useAgents();
  const projects = useProjects();
  return (
    <>
      <InputField
        name="title"
        label={t('routine.titleField')}
        required
        maxLength={500}
        value={value.title}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <TextareaField
        name="description"
        label={t('routine.descriptionField')}
        isOptional
        rows={4}
        value={value.description ?? ''}
        onChange={({ target }) => onChange({ description: target.value || null })}
      />
      <div className="grid gap-3 md:grid-cols-2">
        <Choice
          label={t('routine.assignee')}
          hint={agents.present.length === 0 ? t('routine.needsAgent') : undefined}
          value={value.assigneeAgentId}
          options={agents.present.map(({ id, name }) => [id, name])}
          onChange={(assigneeAgentId) => onChange({ assigneeAgentId })}
        />
        <Choice
          label={t('routine.project')}
          hint={projects.data?.length === 0 ? t('routine.needsProject') : undefined}
          value={value.projectId}
          options={(projects.data ?? []).map(({ id, name }) => [id, name])}
          onChange={(projectId) => onChange({ projectId })}
        />
        <Choice
          label={t('routine.priority')}
          value={value.priority}
          options={PRIORITIES.map((each) => [each, word('priority', each)])}
          onChange={(priority) => onChange({ priority })}
        />
        <Choice
          label={t('routine.concurrency')}
          value={value.concurrencyPolicy}
          options={CONCURRENCY.map((each) => [each, word('concurrencyPolicy', each)])}
          onChange={(concurrencyPolicy) => onChange({ concurrencyPolicy })}
        />
        <Choice
          label={t('routine.catchUp')}
          value={value.catchUpPolicy}
          options={CATCH_UP.map((each) => [each, word('catchUpPolicy', each)])}
          onChange={(catchUpPolicy) => onChange({ catchUpPolicy })}
        />
      </div>
    </>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  hint?: string | undefined;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
}

const Choice = <Value extends string>(props: ChoiceProps<Value>) => (
  <SelectField
    label={props.label}
    hint={props.hint}
    required
    value={props.value}
    onChange={({ target }) => props.onChange(target.value as Value)}
  >
    {!props.options.some(([value]) => value === props.value) && <option value="" />}
    {options(props.options)}
  </SelectField>
);
