/**
 * Words that people and agents say, and those that documents of services say instead. Each finds
 * the words after it, the nearest first, and in one direction only: what somebody calls a ticket
 * may be an issue, while who says `issue` seldom means a ticket of the support.
 */
import { stemOf } from './searchWords.ts';

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(readEntries(`
  create: add post new make insert start register; add: create insert append attach post;
  new: create insert; make: create insert; write: create post send update append;
  put: create add insert post; begin: start create; start: create begin launch run boot;
  launch: create start run; run: execute start trigger dispatch create;
  trigger: dispatch run start create; execute: run exec; post: create send publish;
  send: post create publish; tell: send post message; say: send post message;
  publish: post create deploy release; upload: create insert import add;
  store: create put upload save; save: create store; keep: create store save;
  register: create add; submit: create send; plan: schedule create; schedule: create;
  reserve: allocate create book; book: create schedule reserve; buy: purchase create order;
  purchase: create buy; sell: create order; generate: create generation; draw: generate image;
  train: tune training; list: get find show describe; show: list get describe read view;
  see: list get view read; view: list get read show; get: read fetch retrieve list describe show;
  read: get retrieve fetch view; fetch: get retrieve list pull; retrieve: get read;
  download: get export retrieve; describe: get list; look: search find get list;
  find: search list query lookup get; search: find query list lookup;
  check: get validate verify list; count: list get; delete: remove destroy;
  remove: delete destroy; destroy: delete remove; discard: delete; erase: delete clear remove;
  empty: delete clear; stop: cancel end abort shutdown pause; end: stop finish complete close;
  abort: cancel stop; cancel: delete stop abort; close: end archive; kill: delete terminate stop;
  terminate: delete stop; kick: remove delete; throw: remove delete; ban: block;
  unlink: remove delete disconnect; disconnect: remove delete unlink;
  update: edit change set patch modify replace; edit: update modify patch replace;
  change: update edit set modify patch replace; modify: update edit patch; rename: update;
  set: update put create configure; replace: update; mark: update set modify;
  move: update transfer; assign: update; adjust: update set; turn: set update;
  configure: update set; restart: reboot reset rerun retry; reboot: restart reset;
  retry: rerun restart; resize: scale; scale: resize; upgrade: resize update;
  duplicate: copy clone; copy: duplicate clone; clone: copy fork;
  deploy: deployment publish release; release: publish version; restore: rollback revert undelete;
  revert: rollback restore; rollback: restore; backup: snapshot; snapshot: backup;
  export: download; convert: export; split: create; skip: next;
  somebody: user member person participant; someone: user member person participant;
  people: user member person; person: user member contact; colleague: user member assignee;
  teammate: user member collaborator; coworker: user member; employee: user member team staff;
  friend: user follower contact; guest: member registrant; client: customer contact;
  buyer: customer; supplier: contact vendor; vendor: contact supplier; team: group organization;
  group: team; organization: org workspace; org: organization;
  invite: add member invitation collaboration;
  share: permission invite collaboration collaborator; grant: permission add allow;
  allow: grant permission authorize; accept: approve merge; approve: review accept;
  reject: decline deny; sign: signature signing signer; subscribe: add member contact recipient;
  unsubscribe: remove suppression; follow: subscribe watch; watch: follow subscribe;
  like: rate favorite star reaction; react: reaction; favorite: star top saved; star: favorite;
  mute: block; hide: mute; attend: participant; review: approve comment; account: connection;
  profile: user; identity: profile user; mail: message email; email: message mail;
  letter: email message; inbox: message mail thread; text: sms message; sms: message;
  chat: message conversation; channel: conversation; thread: conversation reply;
  reply: comment message; answer: reply response comment; comment: note reply review;
  newsletter: campaign list; recipient: contact; tweet: post; emoji: reaction;
  call: invoke invocation; invoke: call invocation; busy: freebusy availability;
  free: freebusy availability; available: availability; appointment: event meeting booking;
  meeting: event; event: meeting; reminder: event; vacation: holiday; ticket: issue task;
  bug: issue; todo: task; task: issue card; story: issue task; deadline: due date;
  progress: status transition; stage: status state; status: state; column: list section;
  note: page comment; document: file page doc; doc: document file; page: site; paragraph: block;
  entry: page row record item; row: value record; cell: value range; spreadsheet: sheet;
  table: sheet database; folder: directory; directory: folder; bin: trash; trash: bin deleted;
  version: revision; revision: version; history: version revision activity; link: url;
  picture: image photo; photo: image; image: picture; video: clip; clip: video; song: track;
  track: song; music: track playback player; tune: track; band: artist; singer: artist;
  sound: audio; speech: audio; subtitle: caption; transcribe: transcription;
  translate: translation; vector: embedding; question: completion chat;
  similar: related recommendation; related: similar; money: payment balance charge;
  pay: payment charge; bill: invoice billing; charge: payment; cost: usage price billing;
  spend: usage transaction billing; price: cost pricing; owe: balance invoice receivable;
  debt: liability; loan: liability; stock: inventory holding; item: product;
  product: item catalog; shop: store catalog; discount: coupon promotion; bank: institution;
  chargeback: dispute; payout: transfer; transfer: payout move; profit: income; card: payment;
  shift: timecard; server: instance droplet machine vm; machine: instance vm server;
  vm: instance server machine; computer: instance machine; instance: server vm; droplet: instance;
  disk: volume; drive: disk volume; ip: address; hostname: domain dns host; domain: dns;
  subdomain: dns domain record; dns: domain record; port: firewall ingress; traffic: firewall;
  output: log; print: log; log: output; certificate: ssl tls; https: ssl tls certificate;
  tls: ssl certificate; variable: env environment; website: site; site: website page;
  location: region zone; password: secret credential; secret: credential; credential: secret key;
  token: key; replica: scale; cpu: metric; memory: stat metric; queue: topic; topic: queue;
  nightly: cron schedule; repository: repo project; repo: repository project; project: repository;
  ci: workflow pipeline build action job; pipeline: workflow build; build: workflow pipeline job;
  job: run build; workflow: pipeline; code: source file content; diff: compare;
  difference: compare diff; vulnerability: alert advisory security;
  dependency: dependabot package; visit: traffic view; webhook: hook callback; hook: webhook;
`).map(([word, found]) => [stemOf(word), found]));

/** Several words that mean something together. */
const PHRASES = readEntries(`
  who am i: authenticated self profile identity myself whoami;
  pull request: merge request pullrequest pulls; merge request: pull request pullrequest;
  turn off: stop shutdown disable power; turn on: start enable power;
  shut down: shutdown stop power; switch off: stop disable power; switch on: start enable;
  power off: stop shutdown; set up: create configure install; sign up: register create subscribe;
  spin up: create launch run; kick off: start run trigger; kick out: remove delete;
  throw out: remove delete; call off: cancel delete; get rid: delete remove;
  take back: delete revoke; hand over: assign transfer; roll out: deploy update patch;
  roll back: rollback restore; go back: rollback restore previous; back up: backup snapshot;
  hang up: end complete update; hook up: connect; tick off: complete update; money back: refund;
  thumbs up: reaction like; direct message: dm conversation; text message: sms message;
  out of office: vacation away; virtual machine: instance vm; phone call: call;
  garbage collection: gc; mailing list: list contact; knowledge base: article;
  credit card: payment card; take away: remove revoke; lock down: protect restrict protection;
`).map(([said, meant]) => ({ said, phrase: said.split(' ').map(stemOf), meant }));

function readEntries(text: string): [said: string, found: string[]][] {
  return text.split(';').map((entry) => entry.trim().split(': ')).filter(([said]) => said !== '')
    .map(([said, found]) => [said!, found!.split(' ').map(stemOf)]);
}

/** Stems that mean the same or nearly so to someone who looks for this one. */
export function synonymsOf(stem: string): readonly string[] {
  return SYNONYMS.get(stem) ?? [];
}

/** The phrases that these stems hold side by side, and what they mean. */
export function phrasesIn(stems: readonly string[]): typeof PHRASES {
  return PHRASES.filter(({ phrase }) =>
    stems.some((_, at) => phrase.every((stem, i) => stems[at + i] === stem)));
}
