import { t } from '../i18n';
import { shownKeys, useActiveKeys } from '../ui/browser/keys';
import { Kbd } from '../ui/button';
import { Dialog } from '../ui/dialogs/dialog';

export function KeyList({ onClose }: { onClose: () => void }) {
  const keys = useActiveKeys();
  const known = new Set<string>();
  const once = keys.filter(({ keys: each }) => !known.has(each) && known.add(each));
  const isWay = ({ keys: each }: (typeof keys)[number]) => each.startsWith('g ');
  return (
    <Dialog title={t('frame.keys')} onClose={onClose}>
      <div className="grid gap-x-10 gap-y-5 md:grid-cols-2">
        <Group title={t('frame.keysHere')} keys={once.filter((each) => !isWay(each))} />
        <Group title={t('frame.keysElsewhere')} keys={once.filter(isWay)} />
      </div>
    </Dialog>
  );
}

function Group({ title, keys }: { title: string; keys: ReturnType<typeof useActiveKeys> }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-y-2 text-sm">
        {keys.map(({ keys: combination, label }) => (
          <div key={combination} className="contents">
            <dt>{t(label)}</dt>
            <dd className="flex items-center justify-end gap-1 text-muted">
              {combination.split(' ').map((part) => (
                <Kbd key={part}>{shownKeys(part)}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
