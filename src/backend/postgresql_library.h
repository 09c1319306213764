#pragma once

#include <libpq-fe.h>

namespace dpsql {

// The functions of libpq that we call.
#define DPSQL_LIBPQ_FUNCTIONS(X) \
  X(PQcancel)                    \
  X(PQclear)                     \
  X(PQconnectdbParams)           \
  X(PQconninfoFree)              \
  X(PQconninfoParse)             \
  X(PQconsumeInput)              \
  X(PQerrorMessage)              \
  X(PQfinish)                    \
  X(PQflush)                     \
  X(PQfreeCancel)                \
  X(PQfreemem)                   \
  X(PQftype)                     \
  X(PQgetCancel)                 \
  X(PQgetResult)                 \
  X(PQgetisnull)                 \
  X(PQgetlength)                 \
  X(PQgetvalue)                  \
  X(PQisBusy)                    \
  X(PQlibVersion)                \
  X(PQnfields)                   \
  X(PQntuples)                   \
  X(PQparameterStatus)           \
  X(PQpass)                      \
  X(PQresultErrorMessage)        \
  X(PQresultStatus)              \
  X(PQsendQuery)                 \
  X(PQsendQueryParams)           \
  X(PQserverVersion)             \
  X(PQsetNoticeReceiver)         \
  X(PQsetSingleRowMode)          \
  X(PQsetnonblocking)            \
  X(PQsocket)                    \
  X(PQstatus)                    \
  X(PQtransactionStatus)

// PostgreSQL's client library, each function under its own name.
struct LibPq {
#define DPSQL_LIBPQ_MEMBER(name) decltype(&::name) name = nullptr;
  DPSQL_LIBPQ_FUNCTIONS(DPSQL_LIBPQ_MEMBER)
#undef DPSQL_LIBPQ_MEMBER
};

// Loads libpq.so.5 when it is asked for first, and keeps it. Null where this machine has none.
const LibPq* LoadLibPq();

}  // namespace dpsql
