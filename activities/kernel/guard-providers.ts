import type { Carrier } from '../../providers/carrier/carrier.js';
import type { CarrierCalls } from '../../providers/carrier/carrier-calls.js';
import type { ProviderName } from '../../providers/failures.js';
import { guardEmail } from '../../providers/mail/guard-email.js';
import type { Mail } from '../../providers/mail/mail.js';
import type { ChatModel } from '../../providers/model/chat-model.js';
import { ProviderState } from '../../providers/provider-state.js';
import { guardStorage } from '../../providers/storage/guard-storage.js';
import type { ActivityDependencies } from './dependencies.js';

/** Wraps each provider in a circuit breaker for its account, shared by this process. */
export function guardProviders(dependencies: ActivityDependencies): ActivityDependencies {
  const { carrier, email, mail, model, storage, clock, observeProvider } = dependencies;
  const now = () => clock.now();
  const observing = observeProvider === undefined ? {} : { observe: observeProvider };
  const stateOf = (provider: ProviderName) => new ProviderState({ provider, now, ...observing });
  return {
    ...dependencies,
    carrier: carrier && guardCarrier(carrier, stateOf('carrier')),
    email: { ...email, relay: guardEmail(email.relay, { now, ...observing }) },
    mail: mail && guardMail(mail, stateOf('mail')),
    model: model && guardModel(model, stateOf('model')),
    storage: guardStorage(storage, stateOf('storage')),
  };
}

function guardCarrier(carrier: Carrier, state: ProviderState): Carrier {
  return {
    account: carrier.account,
    calls: guardCalls(carrier.calls, state),
    listInbound: (query) => state.call(() => carrier.listInbound(query)),
    listBilled: (query) => state.call(() => carrier.listBilled(query)),
    listMedia: (id) => state.call(() => carrier.listMedia(id)),
    fetchMedia: (media, signal) => state.call(() => carrier.fetchMedia(media, signal)),
    sendSms: (message) => state.call(() => carrier.sendSms(message)),
    findSms: (query) => state.call(() => carrier.findSms(query)),
    smsStatus: (id) => state.call(() => carrier.smsStatus(id)),
    verifySignature: (request) => carrier.verifySignature(request),
  };
}

/** Messages and calls have one account, and so one breaker. */
function guardCalls(calls: CarrierCalls, state: ProviderState): CarrierCalls {
  return {
    create: (call) => state.call(() => calls.create(call)),
    find: (query) => state.call(() => calls.find(query)),
    status: (id) => state.call(() => calls.status(id)),
    end: (id) => state.call(() => calls.end(id)),
    redirect: (id, to) => state.call(() => calls.redirect(id, to)),
  };
}

function guardMail(mail: Mail, state: ProviderState): Mail {
  return { send: (message) => state.call(() => mail.send(message)) };
}

function guardModel(model: ChatModel, state: ProviderState): ChatModel {
  return { complete: (request) => state.call(() => model.complete(request)) };
}
