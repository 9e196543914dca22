import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { t } from '../i18n';
import { Empty } from '../ui/states';

export function NotFound() {
  return (
    <main id="content" className="flex-1">
      <Empty
        isPage
        icon={Compass}
        title={t('notFound.title')}
        action={
          <Link to="/" className="text-sm text-accent hover:underline">
            {t('notFound.back')}
          </Link>
        }
      >
        {t('notFound.text')}
      </Empty>
    </main>
  );
}
