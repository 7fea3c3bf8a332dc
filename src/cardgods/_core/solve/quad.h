/* The widest floating-point type there is, for the few matrix games that need it. */
#ifndef CARDGODS_QUAD_H
#define CARDGODS_QUAD_H

#ifdef __SIZEOF_FLOAT128__
typedef __float128 cg_quad;
#else
typedef long double cg_quad;
#endif

#endif
