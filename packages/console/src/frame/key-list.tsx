import { t } from '../i18n';
import { useActiveKeys } from '../ui/browser/keys';
import { Kbd } from '../ui/button';
import { Dialog } from '../ui/dialogs/dialog';

/** Every key that holds on this page. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const keys = useActiveKeys();
  return (
    <Dialog title={t('frame.keys')} onClose={onClose} width="sm">
      <dl className="grid grid-cols-[1fr_auto] gap-y-2 text-sm">
        {keys.map(({ keys: combination, label }) => (
          <div key={`${combination} ${label}`} className="contents">
            <dt>{t(label)}</dt>
            <dd className="text-muted">
              <Kbd>{shown(combination)}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const shown = (combination: string) =>
  combination.replace('$mod+', isApple ? '⌘' : 'Ctrl ').replace('Shift+?', '?');
