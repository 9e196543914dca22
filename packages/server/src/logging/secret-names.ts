const SECRET =
  /authorization|cookie|credential|passphrase|password|passwd|secret|signature|token|(?:access|api|auth|encryption|master|private|signing|session|wrapping)key/;

const SECRET_WORDS = new Set(['auth', 'jwt', 'key', 'keys', 'otp', 'pass', 'pin', 'pwd', 'sid']);

const PLAIN_KEYS = new Set(
  'cache,column,composite,document,duplicate,error,field,foreign,group,i18n,idempotency,index,issue,job,lock,map,natural,object,partition,primary,public,queue,row,sort,storage,unique'.split(
    ',',
  ),
);

/** Last words of names that describe a secret but do not contain it. */
const ABOUT = new Set(
  'age,at,bytes,count,days,expires,hours,id,ids,kind,length,limit,minutes,mode,ms,name,names,number,path,policy,prefix,sec,seconds,size,status,ttl,type,url,version'.split(
    ',',
  ),
);

function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (ABOUT.has(words.at(-1) ?? '')) return false;
  if (SECRET.test(words.join(''))) return true;
  return words.some((word, at) => {
    const isKey = word === 'key' || word === 'keys';
    return SECRET_WORDS.has(word) && !(isKey && PLAIN_KEYS.has(words[at - 1] ?? ''));
  });
}
