// Publishes, edits and removes topics of a NodeBB as a JSON file says; prints the address of each. Run in NodeBB's folder, while it is down.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { promisify } = require('util');

const base = process.cwd();
const own = (name) => require(path.join(base, name));
const nconf = own('node_modules/nconf');
nconf.file({ file: path.join(base, 'config.json') });
nconf.defaults({ base_dir: base, themes_path: path.join(base, 'node_modules'), views_dir: path.join(base, 'public/templates') });
nconf.set('relative_path', '');
nconf.set('isPrimary', 'true');
own('node_modules/winston').clear();
const [db, meta, user, categories, topics, posts] = ['database', 'meta', 'user', 'categories', 'topics', 'posts'].map((name) => own(`src/${name}`));
const call = (object, name, ...given) => promisify(object[name]).apply(object, given);

// "2022-08-27 20:31:00" in Budapest, as milliseconds.
function moment(told) {
    const asIfUtc = Date.parse(`${told.replace(' ', 'T')}Z`);
    const shown = new Date(asIfUtc).toLocaleString('sv-SE', { timeZone: 'Europe/Budapest' });
    const first = asIfUtc - (Date.parse(`${shown.replace(' ', 'T')}Z`) - asIfUtc);
    const again = new Date(first).toLocaleString('sv-SE', { timeZone: 'Europe/Budapest' });
    return first + (asIfUtc - Date.parse(`${again.replace(' ', 'T')}Z`));
}

async function userNamed(name) {
    const login = `user${crypto.createHash('md5').update(name).digest('hex').slice(0, 8)}`;
    const known = await call(user, 'getUidByUsername', login);
    if (known) return known;
    const uid = await call(user, 'create', { username: login });
    await call(user, 'setUserField', uid, 'username', name);
    return uid;
}

async function write(told, tid, content, toPid) {
    const uid = await userNamed(told.author);
    return call(posts, 'create', { uid, tid, content, timestamp: moment(told.date), toPid });
}

async function put(post, state) {
    if (!state.topics[post.number]) {
        state.sections[post.section] = state.sections[post.section] || (await call(categories, 'create', { name: post.section })).cid;
        const told = { uid: await userNamed(post.author), cid: state.sections[post.section], title: post.title, tags: post.tags };
        const tid = await call(topics, 'create', { ...told, timestamp: moment(post.date) });
        const first = await write(post, tid, post.text);
        state.topics[post.number] = { tid, text: post.text, pids: { 0: first.pid } };
    }
    const topic = state.topics[post.number];
    if (topic.text !== post.text) {
        await call(posts, 'edit', { uid: 1, pid: topic.pids[0], title: post.title, content: post.text, tags: post.tags });
        topic.text = post.text;
    }
    for (const comment of post.comments) {
        if (!topic.pids[comment.number]) {
            topic.pids[comment.number] = (await write(comment, topic.tid, comment.text, topic.pids[comment.parent])).pid;
        }
    }
    return `/topic/${await call(topics, 'getTopicField', topic.tid, 'slug')}`;
}

async function main() {
    const told = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
    const kept = path.join(base, 'filled.json');
    const state = fs.existsSync(kept) ? JSON.parse(fs.readFileSync(kept, 'utf8')) : { topics: {}, sections: {} };
    await call(db, 'init');
    await call(meta.configs, 'init');
    for (const name of ['one', 'extended']) await call(db, 'sortedSetRemove', 'plugins:active', `nodebb-plugin-emoji-${name}`); // they want to download
    if (!fs.existsSync(kept)) await call(topics, 'purge', 1, 1); // the welcome
    const urls = {};
    for (const post of told.posts) urls[post.number] = await put(post, state);
    for (const number of told.removed) await call(topics, 'purge', state.topics[number].tid, 1);
    fs.writeFileSync(kept, JSON.stringify(state));
    console.log(`\n${JSON.stringify(urls)}`);
    process.exit(0);
}

main().catch((error) => { console.error(error); process.exit(1); });
