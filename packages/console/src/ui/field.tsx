import type { ComponentProps, ReactNode } from 'react';
import { createContext, use, useId } from 'react';
import { classNames } from './class-names';

/** The service's messages for fields of the surrounding form, by name in the body. */
export const RefusalContext = createContext<Readonly<Record<string, string>>>({});

interface FieldProps {
  label: string;
  /** Its name in the body: a refusal that names it is shown here. */
  name?: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean | undefined;
  }) => ReactNode;
}

export function Field({ label, name, hint, error: known, children }: FieldProps) {
  const id = useId();
  const refusals = use(RefusalContext);
  const error = known ?? (name === undefined ? undefined : refusals[name]);
  const described = hint || error ? `${id}-hint` : undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {described && (
        <p id={described} className={classNames('text-xs', error ? 'text-bad' : 'text-muted')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

const CONTROL =
  'rounded-md border border-line-strong bg-surface px-2.5 text-base placeholder:text-faint aria-invalid:border-bad disabled:opacity-60';

export const Input = ({ className = 'w-full', ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={classNames(CONTROL, 'min-h-8 max-md:min-h-10', className)} />
);

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    rows={3}
    {...rest}
    className={classNames(CONTROL, 'field-sizing-content w-full max-h-[50dvh] py-1.5', className)}
  />
);

export const Select = ({ className = 'w-full', ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={classNames(CONTROL, 'min-h-8 max-md:min-h-10', className)} />
);

export function Checkbox({
  label,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className="inline-flex min-h-7 items-center gap-2 text-sm">
      <input type="checkbox" {...rest} className="size-4 accent-accent-fill" />
      {label}
    </label>
  );
}
