// Asks /status every second and shows it. All texts go in as text, never as markup.
'use strict';

const PERIOD_MS = 1000;
const PATIENCE_MS = 4000; // an answer that takes longer counts as none
const KIND_NAMES = {
  'porep-c2': 'PoRep', 'snap-update': 'SnapDeals', 'window-post': 'WindowPoSt', 'winning-post': 'WinningPoSt',
};

const byId = (id) => document.getElementById(id);
const kindName = (kind) => KIND_NAMES[kind] || kind;

function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function make(tag, className, parent) {
  const element = document.createElement(tag);
  if (className) {
    element.className = className;
  }
  if (parent) {
    parent.append(element);
  }
  return element;
}

// ---- how values are written ----

function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return '';
  }
  if (seconds < 10) {
    return seconds.toFixed(1) + ' s';
  }
  if (seconds < 120) {
    return Math.round(seconds) + ' s';
  }
  const units = [['d', 86400], ['h', 3600], ['min', 60]];
  const index = units.findIndex(([, size]) => seconds >= size);
  const [name, size] = units[index];
  const [nextName, nextSize] = units[index + 1] || ['s', 1];
  const rest = Math.floor((seconds % size) / nextSize);
  return Math.floor(seconds / size) + ' ' + name + (rest ? ' ' + rest + ' ' + nextName : '');
}

function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  while (n >= 1024 && i < units.length - 1) {
    n /= 1024;
    i++;
  }
  return (i === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + ' ' + units[i];
}

// ---- lists whose elements stay while their items do ----

function sync(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const key = String(keyOf(item, index));
    let element = old.get(key);
    old.delete(key);
    if (!element) {
      element = create();
      element.dataset.key = key;
    }
    if (parent.children[index] !== element) {
      parent.insertBefore(element, parent.children[index] || null);
    }
    update(element, item);
  });
  old.forEach((element) => element.remove());
}

function fillRow(row, cells) {
  while (row.children.length < cells.length) {
    make('td', '', row);
  }
  cells.forEach((cell, i) => {
    const number = typeof cell === 'object';
    row.children[i].className = number ? 'n' : '';
    setText(row.children[i], number ? cell.n : cell);
  });
}

const createRow = () => document.createElement('tr');

// ---- overview ----

function showTiles(status) {
  const counters = status.counters;
  const proving = status.gpu_workers.filter((worker) => worker.state === 'proving').length;
  setText(byId('queue'), String(counters.queue_depth));
  setText(byId('at-work'), String(status.synthesis.active + proving));
  setText(byId('at-work-detail'), status.synthesis.active + ' in synthesis, ' + proving + ' being proved');
  setText(byId('completed'), String(counters.total_completed));
  setText(byId('completed-detail'), 'since the start');
  setText(byId('failed'), String(counters.total_failed));
  byId('failed').classList.toggle('alarm', counters.total_failed > 0);
  setText(byId('failed-detail'), counters.total_cancelled ? counters.total_cancelled + ' cancelled' : '');
  const memory = status.memory;
  const share = memory.total_bytes ? memory.used_bytes / memory.total_bytes : 0;
  setText(byId('memory'), bytes(memory.used_bytes) + ' of ' + bytes(memory.total_bytes));
  byId('memory-bar').style.width = Math.min(100, 100 * share) + '%';
  byId('memory-bar').classList.toggle('full', share > 0.9);
  setText(byId('memory-detail'), Math.round(100 * share) + ' % in use, ' + bytes(memory.available_bytes) + ' free');
}

// ---- the timeline ----

// Stages of a partition as [class, seconds ago it began, seconds ago it ended]; 0: it has not ended.
function stagesOf(partition, job) {
  const stages = [];
  const synthStart = partition.synth_started_secs_ago;
  const proveStart = partition.gpu_started_secs_ago;
  const verifyStart = partition.verify_started_secs_ago;
  const over = job.ended_secs_ago || 0;
  if (synthStart === null) {
    return stages;
  }
  const synthEnd = partition.state === 'synthesizing' ? 0 : Math.max(over, synthStart - partition.synth_ms / 1000);
  stages.push(['synthesis', synthStart, synthEnd]);
  if (partition.state === 'synth_done') {
    stages.push(['waiting', synthEnd, over]);
  }
  if (proveStart !== null) {
    const end = partition.state === 'gpu' ? over : Math.max(over, proveStart - partition.gpu_ms / 1000);
    stages.push(['waiting', synthEnd, proveStart]);
    stages.push(['prove', proveStart, verifyStart === null ? end : verifyStart]);
    if (verifyStart !== null) {
      stages.push(['verify', verifyStart, end]);
    }
  }
  if (partition.state === 'failed') {
    stages[stages.length - 1][0] = 'bad';
  }
  return stages;
}

function stageText(partition) {
  const synthesis = partition.synth_ms === null ? '' : duration(partition.synth_ms / 1000);
  const proving = partition.gpu_ms === null ? '' : duration(partition.gpu_ms / 1000);
  switch (partition.state) {
    case 'synthesizing': return 'synthesis ' + synthesis;
    case 'synth_done': return 'synthesised';
    case 'gpu': return (partition.verify_started_secs_ago === null ? 'prove ' : 'verify ') + proving;
    case 'done': return 'done ' + synthesis + ' + ' + proving;
    default: return partition.state;
  }
}

function niceSpan(seconds) {
  const steps = [10, 20, 40, 60, 120, 180, 240, 360, 600, 900, 1200, 1800, 2400, 3600, 7200, 14400, 28800, 86400];
  return steps.find((step) => step >= seconds) || seconds;
}

function showAxis(span) {
  const ticks = [1, 0.75, 0.5, 0.25, 0].map((part) => part * span);
  sync(byId('axis'), ticks, (tick, i) => i, () => make('span'), (element, tick) => {
    element.style.left = 100 * (1 - tick / span) + '%';
    setText(element, tick === 0 ? 'now' : '−' + duration(tick));
  });
}

function createPartition() {
  const row = make('div', 'partition');
  make('span', 'number', row);
  make('span', 'stage', row);
  make('span', 'lane', row);
  return row;
}

function showPartition(row, partition, job, span) {
  const [number, stage, lane] = row.children;
  setText(number, String(partition.index));
  setText(stage, stageText(partition));
  row.title = 'partition ' + partition.index + ': ' + stageText(partition);
  sync(lane, stagesOf(partition, job), (s, i) => i, () => make('span'), (bar, [name, from, to]) => {
    bar.className = name + (to === 0 && name !== 'waiting' ? ' running' : '');
    bar.style.left = 100 * (1 - from / span) + '%';
    bar.style.width = 100 * Math.max(0, from - to) / span + '%';
  });
}

function createJob() {
  const block = make('article', 'job');
  const line = make('div', 'job-line', block);
  make('span', 'job-id', line);
  make('span', 'badge', line);
  make('span', 'fact', line);
  make('div', 'partitions', block);
  make('p', 'job-error', block);
  return block;
}

function jobFacts(job) {
  const facts = [kindName(job.proof_kind)];
  if (job.total_partitions) {
    facts.push(job.partitions_done + ' of ' + job.total_partitions + (job.total_partitions === 1 ? ' partition' : ' partitions'));
  }
  if (job.ended_secs_ago !== null) {
    facts.push('took ' + duration(job.submitted_secs_ago - job.ended_secs_ago));
  } else if (job.started_secs_ago > 0) {
    facts.push('running for ' + duration(job.started_secs_ago));
  } else {
    facts.push('waiting for ' + duration(job.submitted_secs_ago));
  }
  return facts.join(' · ');
}

function showJob(block, job, span) {
  const [line, partitions, error] = block.children;
  setText(line.children[0], job.job_id);
  line.children[1].className = 'badge ' + job.state;
  setText(line.children[1], job.state);
  setText(line.children[2], jobFacts(job));
  sync(partitions, job.partitions, (p) => p.index, createPartition, (row, p) => showPartition(row, p, job, span));
  setText(error, job.error_message);
  error.hidden = job.error_message === '';
}

function showJobs(status) {
  const jobs = status.pipelines;
  const starts = jobs.flatMap((job) => job.partitions.map((p) => p.synth_started_secs_ago || 0));
  const span = niceSpan(Math.max(10, ...starts));
  byId('axis').hidden = !jobs.some((job) => job.partitions.length > 0);
  byId('no-jobs').hidden = jobs.length > 0;
  showAxis(span);
  sync(byId('jobs'), jobs, (job) => job.serial, createJob, (block, job) => showJob(block, job, span));
}

// ---- tables ----

function showKinds(status) {
  const counters = status.counters;
  const hours = Math.max(status.uptime_secs, 1) / 3600;
  sync(byId('kinds'), Object.keys(counters.completed_by_kind), (kind) => kind, createRow, (row, kind) => {
    const done = counters.completed_by_kind[kind];
    const seconds = counters.seconds_by_kind[kind];
    fillRow(row, [
      kindName(kind), {n: String(done)}, {n: String(counters.failed_by_kind[kind])},
      {n: done ? (done / hours).toFixed(1) : '–'}, {n: done ? duration(seconds / done) : '–'},
    ]);
  });
}

function showResidents(status) {
  const residents = status.allocations.srs;
  byId('no-residents').hidden = residents.length > 0;
  sync(byId('residents'), residents, (r) => r.circuit_id, createRow, (row, r) => fillRow(row, [
    r.circuit_id, {n: bytes(r.bytes)}, {n: duration(r.last_used_secs_ago) + ' ago'}, r.evictable ? 'evictable' : '',
  ]));
}

function showWorkers(status) {
  sync(byId('workers'), status.gpu_workers, (w) => w.worker_id, createRow, (row, w) => fillRow(row, [
    {n: String(w.worker_id)}, w.state, w.current_job || '',
    {n: w.current_partition === null ? '' : String(w.current_partition)}, {n: duration(w.busy_secs)},
  ]));
}

function createFailure() {
  const item = make('li');
  make('span', 'fact', item);
  make('span', 'job-id', item);
  make('span', 'fact', item);
  make('span', 'job-error', item);
  return item;
}

function showFailures(status) {
  byId('no-failures').hidden = status.recent_failures.length > 0;
  sync(byId('failures'), status.recent_failures, (f) => f.serial, createFailure, (item, f) => {
    const [when, id, kind, text] = item.children;
    setText(when, duration(f.failed_secs_ago) + ' ago');
    setText(id, f.job_id);
    setText(kind, kindName(f.proof_kind));
    setText(text, f.error_message);
  });
}

// ---- asking ----

let lastAnswer = null; // Date

function show(status) {
  if (status.error) {
    throw new Error(status.error);
  }
  showTiles(status);
  showJobs(status);
  showKinds(status);
  showResidents(status);
  showWorkers(status);
  showFailures(status);
  setText(byId('uptime'), 'up ' + duration(status.uptime_secs));
}

function showReached(reached, why) {
  byId('dot').className = 'dot ' + (reached ? 'good' : 'bad');
  byId('main').classList.toggle('stale', !reached);
  byId('gone').hidden = reached;
  setText(byId('daemon-text'), reached ? location.host : 'not reached');
  if (!reached) {
    const since = lastAnswer ? 'Its last answer is from ' + lastAnswer.toLocaleTimeString() + '; what is shown is of then.' : '';
    setText(byId('gone'), 'The daemon does not answer (' + why + '). ' + since);
  }
}

async function ask() {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const answer = await fetch('status', {signal: abort.signal, cache: 'no-store'});
    if (!answer.ok) {
      throw new Error('status ' + answer.status);
    }
    show(await answer.json());
    lastAnswer = new Date();
    showReached(true);
  } catch (error) {
    showReached(false, error.name === 'AbortError' ? 'no answer in ' + PATIENCE_MS / 1000 + ' s' : error.message);
  }
  clearTimeout(timer);
  setTimeout(ask, PERIOD_MS);
}

ask();
